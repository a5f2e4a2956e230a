/** What a process printed; as `Child.ended` of a program has it. */
export interface Printed {
  readonly out: string;
  readonly err: string;
}

/** On stdout: as Nest's console logger and the text formats have it, or a JSON event. */
const ERROR = /\b(?:ERROR|FATAL)\b|"level":"(?:error|fatal)"/;

/** The errors that a process wrote: all of stderr, and the lines of stdout that report one. */
export function errorLines({ out, err }: Printed): string[] {
  const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
  return [...lines(err), ...lines(out).filter((line) => ERROR.test(line))];
}
