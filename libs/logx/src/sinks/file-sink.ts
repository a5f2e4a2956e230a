import { type Clock, ownProcessMark } from '@apix/contracts';
import { isLeadingProcess } from '@apix/contracts/internal';
import {
  CLOCK,
  wholeNumber,
  type Option,
  type OptionTable,
  section,
  TEXT,
} from '@apix/contracts/internal';
import { DEFAULT_FILE_MODE } from './file-mode.js';
import { FileOutlet } from './file-outlet.js';
import { LineWriter } from './line-writer.js';
import { planRotation, type Rotation, ROTATION_OPTIONS } from './rotation.js';
import { SharedFileOutlet } from './shared-file-outlet.js';
import type { SinkSpec } from './sink.js';
import {
  GATHER,
  type GatheringSinkOptions,
  maxLinesOf,
  readSinkOptions,
  SINK_OPTIONS,
  specOf,
} from './sink-options.js';

export interface FileSinkOptions extends GatheringSinkOptions {
  /** When the file is renamed and a new one is started. Default: never. */
  readonly rotation?: Rotation | undefined;
  /**
   * Permission bits of created files, including compressed ones; users who may read them may enter
   * directories that are created. An existing file keeps its mode. Default: `0o640`, reduced by the umask.
   */
  readonly mode?: number | undefined;
  /** The clock of rotation and of retries, for tests. Default: of rotation the logger's, of retries the machine's. */
  readonly clock?: Clock | undefined;
}

/** The allowed values of each option of a file sink. */
export const FILE_SINK_OPTIONS = {
  ...SINK_OPTIONS,
  gather: GATHER,
  rotation: section(ROTATION_OPTIONS),
  mode: wholeNumber({ min: 0, max: 0o7777 }),
  clock: CLOCK,
} satisfies OptionTable<FileSinkOptions>;

/** The path of a file sink. */
export const FILE_PATH: Option<string> = TEXT;

/**
 * Writes lines to a file, which is appended to; missing directories are created. Only one app at a time
 * should write to a file that rotates. If that has several processes, they share it, and one of them rotates it.
 *
 * @throws OptionsError with every wrong option; opening the sink throws when the file cannot be opened.
 */
export function fileSink(path: string, options: FileSinkOptions = {}): SinkSpec {
  const read = readSinkOptions('file', FILE_SINK_OPTIONS, options, (mistakes) => {
    FILE_PATH.read(path, 'path', mistakes);
  });
  const { rotation, mode = DEFAULT_FILE_MODE, gather, clock } = read;
  const plan = rotation && planRotation(rotation);
  const maxLines = maxLinesOf(read);
  return specOf('file', read, ({ onError, onDropped, clock: loggers }) => {
    const about = { onError, plan, mode, clock: clock ?? loggers };
    const isShared = ownProcessMark() !== null && !path.startsWith('/dev/');
    const outlet = isShared
      ? new SharedFileOutlet(path, { ...about, isLeading: isLeadingProcess })
      : new FileOutlet(path, about);
    return new LineWriter(outlet, { onError, onDropped, maxLines, gatherMs: gather, clock });
  });
}
