import { isStatusError, thrownText } from '@apix/contracts';
import { type CallLine, USAGE, readCallLine } from './call-line.js';
import { DescribedServer } from './described-server.js';

/** Where the command writes. */
export interface CallOutput {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** Does what the arguments say. @returns the exit code. */
export async function callCommand(
  args: readonly string[],
  { print, complain }: CallOutput,
): Promise<number> {
  let line: CallLine;
  try {
    line = readCallLine(args);
  } catch (error) {
    complain(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  let server: DescribedServer | undefined;
  try {
    server = await DescribedServer.open(line.address);
    if (line.target === 'list') {
      print(`${server.methods.join('\n')}\n`);
      return 0;
    }
    for await (const answer of server.call(line)) print(`${JSON.stringify(answer, null, 2)}\n`);
    complain('OK\n');
    return 0;
  } catch (error) {
    return failed(error, complain);
  } finally {
    await server?.close();
  }
}

function failed(error: unknown, complain: CallOutput['complain']): number {
  if (isStatusError(error)) {
    complain(`${error.status}: ${error.message}\n`);
    return 64 + error.code;
  }
  complain(`${thrownText(error)}\n`);
  return error instanceof TypeError ? 2 : 1;
}
