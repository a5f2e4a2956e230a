import { type Clock, Mistakes, OptionsError } from '@apix/contracts';
import { DEFAULT_FILE_MODE } from './file-mode.js';
import { FileOutlet } from './file-outlet.js';
import { LineWriter } from './line-writer.js';
import { planRotation, type Rotation } from './rotation.js';
import type { SinkSpec } from './sink.js';
import { checkSinkOptions, maxLinesOf, type SinkOptions, specOf } from './sink-options.js';

export interface FileSinkOptions extends SinkOptions {
  /** When the file is set aside and a new one begins. Default: never. */
  readonly rotation?: Rotation | undefined;
  /**
   * Permission bits of files that are created, compressed ones too; those who may read them may
   * enter directories that are created. A file that exists keeps its own. Default: `0o640`, less
   * the umask.
   */
  readonly mode?: number | undefined;
  /** The clock of rotation, for tests. Default: the machine's. */
  readonly clock?: Clock | undefined;
}

/**
 * Lines in a file, which is appended to; missing directories are created. One process at a time
 * should write to a file that rotates.
 *
 * @throws OptionsError with every wrong option; opening the sink throws when the file
 * cannot be opened.
 */
export function fileSink(path: string, options: FileSinkOptions = {}): SinkSpec {
  const { rotation, mode = DEFAULT_FILE_MODE, clock } = options;
  const mistakes = new Mistakes();
  mistakes.text('path', path);
  mistakes.count('mode', mode, { min: 0, max: 0o7777 });
  const plan = rotation && planRotation(rotation, mistakes);
  checkSinkOptions(options, mistakes);
  mistakes.throwIfAny((found) => new OptionsError('logx: file sink', found));
  const maxLines = maxLinesOf(options);
  return specOf('file', options, ({ onError }) => {
    const outlet = new FileOutlet(path, { onError, plan, mode, clock });
    return new LineWriter(outlet, { onError, maxLines, clock });
  });
}
