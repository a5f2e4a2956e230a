import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { thrownText } from '@apix/contracts';
import { edited } from '../edit.js';
import type { LeftOver } from '../left-over.js';
import { type FilePlan, isValid, migrate } from '../migrate.js';
import { unifiedDiff } from '../unified-diff.js';
import { findSources } from './source-files.js';

/** The output of a command; a test passes its own. */
export interface CommandOutput {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

const USAGE = `apix-logx-from-nestjs-pino [path...] [options]

Takes an app from nestjs-pino to @apix/logx: imports, the module and its options, injected loggers and
their calls, and the providers of tests. Give it all of the app at once; without a path it takes the
folder it is run in. It prints what it would change, and changes nothing without --write.

  --write        change the files
  --quiet        no diff, only the summary
  -h, --help

What it cannot take over it leaves as it is, and names it with the line and what to do.

It exits with 0 if nothing is left over, with 1 if something is, and with 2 if an argument is wrong or
a file cannot be written.
`;

/** Runs `apix-logx-from-nestjs-pino` and returns its exit code. */
export function migrationCommand(args: readonly string[], output: CommandOutput): number {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        write: { type: 'boolean', default: false },
        quiet: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      output.print(USAGE);
      return 0;
    }
    return run(positionals.length === 0 ? ['.'] : positionals, values, output);
  } catch (error) {
    output.complain(`apix-logx-from-nestjs-pino: ${thrownText(error)}\n`);
    return 2;
  }
}

function run(
  paths: readonly string[],
  { write, quiet }: { readonly write: boolean; readonly quiet: boolean },
  { print, complain }: CommandOutput,
): number {
  const { files, unreadable } = findSources(paths);
  const plans = migrate(files).map((plan) => checked(plan));
  const changed = plans.filter(({ edits }) => edits.length > 0);
  let isWritten = true;
  for (const { path, text, edits } of changed) {
    if (!quiet && !write) print(unifiedDiff(path, text, edits));
    if (write) isWritten = writeTo(path, edited(text, edits), complain) && isWritten;
  }
  const open = plans.flatMap((plan) => plan.leftOvers.map((it) => describe(plan, it)));
  const unread = unreadable.map(({ path, reason }) => `${path}: not read: ${reason}\n`);
  const left = [...open, ...unread];
  if (left.length > 0) print(`\nLeft over:\n${left.map((it) => `  ${it}`).join('')}`);
  const verb = write ? 'changed' : 'to change';
  print(
    `\n${files.length} files read, ${changed.length} ${verb}, ${left.length} places left over` +
      `${write || changed.length === 0 ? '' : '; --write changes them'}\n`,
  );
  if (!isWritten) return 2;
  return left.length === 0 ? 0 : 1;
}

/** A plan whose result is not valid TypeScript is not applied. */
function checked(plan: FilePlan): FilePlan {
  if (plan.edits.length === 0 || isValid(plan.path, edited(plan.text, plan.edits))) return plan;
  const leftOver = {
    position: 0,
    what: 'a file whose change would not be valid TypeScript',
    remedy: 'take it over by hand, and report it: this is a mistake of the codemod',
  };
  return { ...plan, edits: [], leftOvers: [leftOver] };
}

function writeTo(path: string, text: string, complain: (text: string) => void): boolean {
  try {
    writeFileSync(path, text);
    return true;
  } catch (error) {
    complain(`apix-logx-from-nestjs-pino: cannot write ${path}: ${thrownText(error)}\n`);
    return false;
  }
}

function describe({ path, text }: FilePlan, { position, what, remedy, row }: LeftOver): string {
  const line = text.slice(0, position).split('\n').length;
  const see = row === undefined ? '' : ` (${row} in docs/migrating-from-nestjs-pino.md)`;
  return `${path}:${line}: ${what}: ${remedy}${see}\n`;
}
