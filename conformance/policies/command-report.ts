import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { PolicyView } from '@apix/contracts';
import type { Enforced } from './page-matrix.js';

const run = promisify(execFile);
/** Of an output, in bytes. */
const MOST_OUTPUT = 100_000_000;

/** What `apix-authz report` prints about a set. */
export interface CommandReport {
  /** Each method and who may call it, as in the table for a page. */
  readonly methods: readonly (readonly [name: string, who: string])[];
  readonly fields: readonly (readonly [name: string, who: string])[];
  /** The policy of each method, from the same command's JSON. */
  readonly policies: ReadonlyMap<string, PolicyView>;
}

export async function commandReport(command: string, set: Enforced): Promise<CommandReport> {
  const formats = ['markdown', 'json'].map((format) => printed(command, set, format));
  const [markdown, json] = await Promise.all(formats);
  const tables = markdown!.split('\n\n').map(rowsOf);
  const all = JSON.parse(json!) as readonly {
    readonly method?: string;
    readonly policy: PolicyView;
  }[];
  const policies = all.flatMap(({ method, policy }) =>
    method === undefined ? [] : [[method, policy] as const],
  );
  return { methods: tables[0]!, fields: tables[1] ?? [], policies: new Map(policies) };
}

async function printed(
  command: string,
  { file, unannotated }: Enforced,
  format: string,
): Promise<string> {
  const args = [command, 'report', file, '--unannotated', unannotated, '--format', format];
  const { stdout } = await run(process.execPath, args, { maxBuffer: MOST_OUTPUT });
  return stdout;
}

/** The rows below the head of a table, without the signs of Markdown. */
function rowsOf(table: string): (readonly [string, string])[] {
  const [, , ...lines] = table.trimEnd().split('\n');
  return lines.map((line) => {
    const [, name, who] = /^\| (\S+) \| (.*) \|$/.exec(line)!;
    return [name!, who!.replaceAll('\\|', '|')] as const;
  });
}
