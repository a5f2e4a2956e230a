import { Config } from './config.js';
import type { ConfigDocument } from './config-document.js';
import { ConfigError } from './config-error.js';
import type { SchemaIssue, StandardSchema } from './decode-options.js';

/** The path at the start of a mistake, such as `sinks[1].rotation.every`. */
const PLACE = /^(?:\.?[^.[\]:\s]+|\[\d+\]|\["(?:[^"\\]|\\.)*"\])+(?=: )/;

/**
 * The Standard Schema (https://standardschema.dev) of a configuration document, for a part such as
 * `logging` of the app's own configuration: `withParts(schema, { logging: loggingSchema })` of
 * `@apix/hostx`. It makes the same checks as `createLoggerFromConfig`, including sink types and their
 * `options`: register types before, and let them open nothing before their sink is opened. A part that is
 * absent or null is a document without settings.
 */
export const loggingSchema: StandardSchema<ConfigDocument> = {
  '~standard': {
    version: 1,
    vendor: 'apix',
    validate(value) {
      const document = value ?? {};
      try {
        new Config(document).options();
      } catch (error) {
        if (error instanceof ConfigError) return { issues: error.mistakes.map(issueOf) };
        throw error;
      }
      return { value: withoutEmpty(document) };
    },
  },
};

function issueOf(mistake: string): SchemaIssue {
  const place = PLACE.exec(mistake)?.[0];
  if (place === undefined) return { message: mistake };
  return { path: pathOf(place), message: mistake.slice(place.length + ': '.length) };
}

function pathOf(place: string): (string | number)[] {
  const parts = place.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|[^.[\]]+/g);
  return [...parts].map(([part, index, name]) => {
    if (name !== undefined) return JSON.parse(name) as string;
    return index === undefined ? part : Number(index);
  });
}

/** In a document an empty entry counts as absent; in code, null is a value. */
// Why: docs/decisions/0244
function withoutEmpty(document: object): ConfigDocument {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null));
}
