import { messageReplacer, sourceName } from '@apix/contracts/internal';

/** Called with the name of a source that throws, what it has, and the error. */
export type OnSourceFailure = (source: string, what: string, error: unknown) => void;

/**
 * The rows of all sources. One that throws is left out, and so is one with a value that is not JSON, such as a
 * bigint, which must not fail where the whole view is written.
 */
export function readEachSource<Source extends object, Row>(
  what: string,
  sources: readonly Source[],
  read: (source: Source) => Row[],
  onFailure: OnSourceFailure,
): Row[] {
  return sources.flatMap((source, index) => {
    try {
      return JSON.parse(JSON.stringify(read(source), messageReplacer())) as Row[];
    } catch (error) {
      onFailure(sourceName(source, `source ${index + 1}`), what, error);
      return [];
    }
  });
}
