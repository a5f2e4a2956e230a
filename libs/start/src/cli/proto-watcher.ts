import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/**
 * Watches the .proto files below a folder, in folders that come later too. Each folder has a watcher of its own:
 * the recursive one of Node loses a file on Linux once an editor has replaced it, as most do when they save.
 *
 * @throws Error of Node where the folder is not there.
 */
export class ProtoWatcher {
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(
    private readonly root: string,
    /** Called for each change, also several times for one save. */
    private readonly onChange: () => void,
  ) {
    for (const folder of foldersBelow(root)) this.#watch(folder);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watch(folder: string): void {
    const watcher = watch(folder, (_, file) => {
      if (this.#followFolders() || file === null || file.endsWith('.proto')) this.onChange();
    });
    // Such as a folder that is removed on Windows.
    watcher.on('error', () => this.#followFolders());
    this.#watchers.set(folder, watcher);
  }

  /** @returns whether a folder has come, in which there may be files already. */
  #followFolders(): boolean {
    const folders = new Set(foldersBelow(this.root));
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    const added = [...folders].filter((folder) => !this.#watchers.has(folder));
    for (const folder of added) this.#watch(folder);
    return added.length > 0;
  }
}

function foldersBelow(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  return [root, ...folders.map(({ parentPath, name }) => join(parentPath, name))];
}
