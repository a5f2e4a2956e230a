/**
 * A command line that Windows splits into these arguments again, by the rules of CommandLineToArgvW: quotes
 * around what has spaces, backslashes doubled before a quote.
 */
export function commandLine(program: string, args: readonly string[]): string {
  return [program, ...args].map(quoted).join(' ');
}

function quoted(argument: string): string {
  if (argument !== '' && !/[\s"]/.test(argument)) return argument;
  return `"${argument.replaceAll(/(\\*)("|$)/g, (_, slashes: string, end: string) =>
    end === '' ? slashes + slashes : `${slashes}${slashes}\\"`,
  )}"`;
}
