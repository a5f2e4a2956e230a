import type { SchematicRun, SchematicTree } from '../schematic.js';

/**
 * The files of an app: what is new is written, what is there is left as it is, and noted where it is
 * not what would have been written.
 */
export class AppFiles {
  /** What somebody has to do by hand. */
  readonly left: string[] = [];

  constructor(private readonly tree: SchematicTree) {}

  exists(path: string): boolean {
    return this.tree.exists(path);
  }

  text(path: string): string | undefined {
    return this.tree.read(path)?.toString('utf8');
  }

  /** Writes a file that is not there. */
  add(path: string, text: string, otherwise = 'it is there already and was left as it is'): void {
    const before = this.text(path);
    if (before === undefined) this.tree.create(path, text);
    else if (!sameText(before, text)) this.left.push(`${path}: ${otherwise}`);
  }

  /** Replaces a file whose text is known; its lines end as they did. */
  replace(path: string, text: string): void {
    const before = this.text(path);
    const ended = before?.includes('\r\n') === true ? text.replaceAll(/\r?\n/g, '\r\n') : text;
    if (before !== ended) this.tree.overwrite(path, ended);
  }

  /** Says what is left to do. */
  report({ logger }: SchematicRun): void {
    if (this.left.length === 0) return;
    logger.warn(`left to do by hand:\n${this.left.map((it) => `- ${it}`).join('\n')}`);
  }

  /** Paths below a folder that end so. */
  below(folder: string, ending: string): string[] {
    const found: string[] = [];
    this.tree.getDir(folder).visit((visited) => {
      const path = visited.replace(/^\//, '');
      if (path.endsWith(ending) && !path.includes('/node_modules/')) found.push(path);
    });
    return found.toSorted();
  }
}

/** Formatters of the app may have changed quotes, indents and line ends. */
export function sameText(one: string, other: string): boolean {
  return squeezed(one) === squeezed(other);
}

function squeezed(text: string): string {
  return text
    .replaceAll(/[\s;]+/g, '')
    .replaceAll('"', "'")
    .replaceAll(/,(?=[)\]}])/g, '');
}
