import type { MethodSamples } from '@apix/contracts/internal';
import type { CallMethods, CallSamples } from '../section-views.js';
import { type OnSourceFailure, readEachSource } from './read-each-source.js';
import type { PageSection } from './section.js';

/** The methods that a browser can call at the app, with requests to begin with. */
export function callSection(
  sources: readonly MethodSamples[],
  onFailure: OnSourceFailure,
): PageSection<'call'> {
  const methods = (): CallMethods =>
    readEachSource('methods', sources, (source) => [...source.methods()], onFailure);
  let count: number | undefined;
  // They are those of the descriptors, and do not change.
  const counted = (): number => (count ??= methods().length);
  return {
    id: 'call',
    isPresent: () => sources.length > 0 && counted() > 0,
    view: () => ({ count: counted() }),
    item(name, query) {
      if (name === 'methods') return JSON.stringify(methods());
      if (name !== 'samples') return undefined;
      const found = samplesOf(sources, query.get('method') ?? '');
      return found.length === 0 ? undefined : JSON.stringify(found);
    },
  };
}

function samplesOf(sources: readonly MethodSamples[], method: string): CallSamples {
  return sources.flatMap((source) =>
    source.samplesOf(method).map(({ body, ...sample }) => ({
      ...sample,
      body: body === undefined ? null : JSON.stringify(body, null, 2),
    })),
  );
}
