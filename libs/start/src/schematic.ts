/** The part of a schematics tree that is used, so that only the CLI depends on the packages of the schematics. */
export interface SchematicTree {
  exists(path: string): boolean;
  read(path: string): Buffer | null;
  create(path: string, content: string): void;
  overwrite(path: string, content: string): void;
  getDir(path: string): SchematicFolder;
}

/** A folder of the tree. */
export interface SchematicFolder {
  readonly subdirs: readonly string[];
  readonly subfiles: readonly string[];
  dir(name: string): SchematicFolder;
}

/** The part of a schematic's context that is used. */
export interface SchematicRun {
  readonly logger: { info(message: string): void; warn(message: string): void };
  addTask(task: SchematicTask, after?: SchematicTaskId[]): SchematicTaskId;
}

/** What the CLI does after the files are written. */
export interface SchematicTask {
  toConfiguration(): { name: string; options: object };
}

/** Identifies a task that others wait for. */
export interface SchematicTaskId {
  readonly id: number;
}

/** Changes the files of an app. */
export type SchematicRule = (tree: SchematicTree, run: SchematicRun) => void;
