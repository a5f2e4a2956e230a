import type { SchematicRun, SchematicTree } from '../schematic.js';

/**
 * The files of an app. New files are written. Existing files are not changed; they are noted if they differ
 * from what would have been written.
 */
export class AppFiles {
  /** What remains to be done by hand. */
  readonly left: string[] = [];

  constructor(private readonly tree: SchematicTree) {}

  exists(path: string): boolean {
    return this.tree.exists(path);
  }

  text(path: string): string | undefined {
    return this.tree.read(path)?.toString('utf8');
  }

  /** Writes a file that does not exist. */
  add(path: string, text: string, otherwise = 'it is there already and was left as it is'): void {
    const before = this.text(path);
    if (before === undefined) this.tree.create(path, text);
    else if (!sameText(before, text)) this.left.push(`${path}: ${otherwise}`);
  }

  /** Replaces a file whose text is known; keeps its line endings. */
  replace(path: string, text: string): void {
    const before = this.text(path);
    const ended = before?.includes('\r\n') === true ? text.replaceAll(/\r?\n/g, '\r\n') : text;
    if (before !== ended) this.tree.overwrite(path, ended);
  }

  /** Logs what remains to be done. */
  report({ logger }: SchematicRun): void {
    if (this.left.length === 0) return;
    logger.warn(`left to do by hand:\n${this.left.map((it) => `- ${it}`).join('\n')}`);
  }

  /** Paths below a folder that end with `ending`. */
  below(folder: string, ending: string): string[] {
    const found: string[] = [];
    this.tree.getDir(folder).visit((visited) => {
      const path = visited.replace(/^\//, '');
      if (path.endsWith(ending) && !path.includes('/node_modules/')) found.push(path);
    });
    return found.toSorted();
  }
}

/** Compares texts without the quotes, indentation and line endings that a formatter of the app may have changed. */
export function sameText(one: string, other: string): boolean {
  return squeezed(one) === squeezed(other);
}

function squeezed(text: string): string {
  return text
    .replaceAll(/[\s;]+/g, '')
    .replaceAll('"', "'")
    .replaceAll(/,(?=[)\]}])/g, '');
}
