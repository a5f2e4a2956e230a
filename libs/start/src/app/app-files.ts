import type { SchematicFolder, SchematicTree } from '../schematic.js';

/** Folders whose files are not the app's own. */
const NOT_OWN: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage', '.git']);

/**
 * The files of an app. New files are written. Existing files are not changed; they are noted if they differ
 * from what would have been written.
 */
export class AppFiles {
  /** What was added or changed: a path, and for a changed file what is new in it. */
  readonly added: string[] = [];
  /** What remains to be done by hand, and why. */
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
    if (before === undefined) {
      this.tree.create(path, text);
      this.added.push(path);
    } else if (!sameText(before, text)) this.left.push(`${path}: ${otherwise}`);
  }

  /** Replaces a file whose text is known, and says what is new; keeps its line endings. */
  replace(path: string, text: string, what: string): void {
    const before = this.text(path);
    const ended = before?.includes('\r\n') === true ? text.replaceAll(/\r?\n/g, '\r\n') : text;
    if (before === ended) return;
    this.tree.overwrite(path, ended);
    this.added.push(`${path}: ${what}`);
  }

  /** Paths of the app's own files below a folder that end with `ending`. */
  below(folder: string, ending: string): string[] {
    return filesOf(this.tree.getDir(folder), folder)
      .filter((path) => path.endsWith(ending))
      .toSorted();
  }
}

function filesOf(folder: SchematicFolder, path: string): string[] {
  const within = path === '' ? '' : `${path}/`;
  const own = folder.subdirs.filter((name) => !NOT_OWN.has(name));
  return [
    ...folder.subfiles.map((name) => `${within}${name}`),
    ...own.flatMap((name) => filesOf(folder.dir(name), `${within}${name}`)),
  ];
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
