import type { UsedFile } from './used-files.js';

/** What each action runs. */
export type Footprints = ReadonlyMap<string, readonly UsedFile[]>;

/** One line for each action: `action files functions`. */
export function tableOf(footprints: Footprints): string {
  const rows = [...footprints].map(([action, files]) => [
    action,
    String(files.length),
    String(functionsOf(files)),
  ]);
  const head = ['action', 'files', 'functions'];
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]!.length)),
  );
  return [head, ...rows]
    .map(([action, ...counts]) =>
      [
        action!.padEnd(widths[0]!),
        ...counts.map((count, index) => count.padStart(widths[index + 1]!)),
      ].join('  '),
    )
    .join('\n');
}

/** The files of each action, and below each the functions that run. */
export function listOf(footprints: Footprints): string {
  return [...footprints]
    .map(([action, files]) =>
      [
        `${action}: ${files.length} files, ${functionsOf(files)} functions`,
        ...files.map(({ path, functions }) => `  ${path}\n    ${functions.join(', ')}`),
      ].join('\n'),
    )
    .join('\n\n');
}

export function functionsOf(files: readonly UsedFile[]): number {
  return files.reduce((sum, { functions }) => sum + functions.length, 0);
}
