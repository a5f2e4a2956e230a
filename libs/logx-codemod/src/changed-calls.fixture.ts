import { edited } from './edit.js';
import { type FilePlan, migrate } from './migrate.js';

/** A class with an injected logger around statements of a method. */
export function classWith(statements: string, { extra = '', fields = '' } = {}): string {
  return [
    "import { Injectable } from '@nestjs/common';",
    `import { InjectPinoLogger, PinoLogger${extra} } from 'nestjs-pino';`,
    '@Injectable()',
    'export class Refunds {',
    `  constructor(@InjectPinoLogger(Refunds.name) private readonly log: PinoLogger${fields}) {}`,
    '  run(id: string, order: Order, thing: unknown, ...rest: unknown[]) {',
    `    ${statements}`,
    '  }',
    '}',
    '',
  ].join('\n');
}

export function planOf(text: string): FilePlan | undefined {
  return migrate([{ path: 'refunds.ts', text }])[0];
}

/** What becomes of the statements. */
export function changed(statements: string): string {
  const text = classWith(statements);
  const lines = edited(text, planOf(text)?.edits ?? []).split('\n');
  return lines
    .slice(lines.findIndex((line) => line.includes('run(')) + 1, -3)
    .join('\n')
    .trim();
}
