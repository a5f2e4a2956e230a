import type { Rule } from './import-rules.js';

/** Where Node's own methods are called. */
const ENDS = 'libs/contracts/src/end-response.ts';

/** Responses are written by `endResponse` and `writePart`, so that no empty part gets to Node. */
// Why: docs/decisions/0182
export const responsesAreEndedByOneFunction: Rule = (packages) =>
  packages.flatMap(({ folder, modules }) =>
    modules.flatMap(({ path, responseWrites }) => {
      const place = `libs/${folder}/src/${path}`;
      if (place === ENDS) return [];
      return responseWrites.map(
        (call) => `${place} calls ${call}, not endResponse or writePart of @apix/contracts`,
      );
    }),
  );
