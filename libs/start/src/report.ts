import type { AppFiles } from './app/app-files.js';
import type { SchematicRule, SchematicRun, SchematicTaskId } from './schematic.js';

/** The options of the schematic `report`. */
export interface ReportOptions {
  readonly text: string;
}

/** Prints a text: a schematic of its own, because only a task can print after the packages are installed. */
export function nestAddReport({ text }: ReportOptions): SchematicRule {
  return (_tree, { logger }) => logger.info(text);
}

/** Prints what remains to be done by hand, if anything does; the CLI itself prints the files. */
export function reportLeft({ left }: AppFiles, { logger }: SchematicRun): void {
  if (left.length > 0) logger.warn(section('to do by hand', left).join('\n'));
}

/** Prints what was done and what remains to be done: at once, or after an installation. */
export function reportAdded(
  files: AppFiles,
  notes: readonly string[],
  run: SchematicRun,
  installed?: SchematicTaskId,
): void {
  const text = [
    ...section('added', files.added),
    ...(files.left.length > 0 ? section('to do by hand', files.left) : ['nothing to do by hand']),
    ...notes,
  ].join('\n');
  if (installed === undefined) run.logger.info(text);
  else run.addTask({ toConfiguration: () => printing(text) }, [installed]);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`)];
}

/** Configured like `RunSchematicTask` of @angular-devkit/schematics. */
function printing(text: string): { name: string; options: object } {
  const options = { collection: '@apix/start', name: 'report', options: { text } };
  return { name: 'run-schematic', options };
}
