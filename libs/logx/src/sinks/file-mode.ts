/** Permission bits of a file sink's files, less the umask, unless its options say otherwise. */
export const DEFAULT_FILE_MODE = 0o640;

const ALL_BITS = 0o777;
const OWNER = 0o700;
const READ = 0o444;

/** Of a directory created for files of a mode: who may read them may enter it. */
export function directoryMode(fileMode: number): number {
  return OWNER | fileMode | ((fileMode & READ) >> 2);
}

/**
 * Of a compressed copy: no wider than the option, and no wider than the file that it is made of,
 * which an earlier run or an operator may have made narrower.
 */
export function copyMode(fileMode: number, sourceMode: number): number {
  return fileMode & sourceMode & ALL_BITS;
}
