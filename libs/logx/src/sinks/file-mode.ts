/** Permission bits of a file sink's files, reduced by the umask, unless its options set others. */
export const DEFAULT_FILE_MODE = 0o640;

const ALL_BITS = 0o777;
const OWNER = 0o700;
const READ = 0o444;

/** Mode of a directory created for files of a mode: users who may read the files may enter it. */
export function directoryMode(fileMode: number): number {
  return OWNER | fileMode | ((fileMode & READ) >> 2);
}

/**
 * Mode of a compressed copy: not wider than the option, and not wider than the source file, whose mode an
 * earlier run or an operator may have reduced.
 */
export function copyMode(fileMode: number, sourceMode: number): number {
  return fileMode & sourceMode & ALL_BITS;
}
