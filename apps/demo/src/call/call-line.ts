import { parseArgs } from 'node:util';

export const USAGE = `Calls a gRPC server that has reflection, such as the shop.

  npm run --silent demo:call -- <host:port> list
  npm run --silent demo:call -- [-H 'name: value']... [-d <message as JSON>]... <host:port> <service>/<method>

-d may be repeated where the client streams; without it, one empty message is sent. Answers go to standard output as
JSON, the status to standard error. The exit code is 0 for OK, 64 and the code of gRPC for another status, 2 for wrong
arguments.
`;

/** What the arguments ask for. */
export interface CallLine {
  readonly address: string;
  /** `list`, or a method as `shop.v1.Orders/Get`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string[]>>;
  /** Messages as JSON; at least one. */
  readonly messages: readonly string[];
}

/** @throws TypeError that says what is wrong with the arguments. */
export function readCallLine(args: readonly string[]): CallLine {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      data: { type: 'string', short: 'd', multiple: true },
      header: { type: 'string', short: 'H', multiple: true },
    },
  });
  const [address, target, ...more] = positionals;
  if (address === undefined || target === undefined || more.length > 0) {
    throw new TypeError(`2 arguments are needed besides options, not ${positionals.length}`);
  }
  if (target !== 'list' && !/^[^/]+\/[^/]+$/.test(target)) {
    throw new TypeError(`"${target}" is neither list nor a method such as shop.v1.Orders/Get`);
  }
  return {
    address,
    target,
    headers: headersOf(values.header ?? []),
    messages: values.data ?? ['{}'],
  };
}

function headersOf(lines: readonly string[]): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (const line of lines) {
    const [, name, value] = /^([\w.-]+): *(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new TypeError(`-H "${line}" is not a header such as "authorization: Bearer …"`);
    }
    (headers[name.toLowerCase()] ??= []).push(value);
  }
  return headers;
}
