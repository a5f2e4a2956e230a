import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/**
 * Watches the .proto files below a folder, including folders that are created later. Each folder has its own watcher:
 * on Linux, the recursive watcher of Node loses a file once an editor has replaced it, as most editors do on save.
 *
 * @throws Error of Node if the folder does not exist.
 */
export class ProtoWatcher {
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(
    private readonly root: string,
    /** Called for each change, possibly several times for one save. */
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
    // For example when a folder is removed on Windows.
    watcher.on('error', () => this.#followFolders());
    this.#watchers.set(folder, watcher);
  }

  /** @returns whether a folder was added, which may already contain files. */
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
