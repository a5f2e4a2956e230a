import type { AppFiles } from '../app/app-files.js';
import { withoutComments } from '../source/plain-source.js';

const TEST = /[.-](?:spec|test)\.ts$/;

/** The sources that an app runs, without comments, tests, generated code and the module of this package. */
export class AppSources {
  private readonly texts: ReadonlyMap<string, string>;

  /** @param files with the folder `libs`, which the apps of a workspace share. */
  constructor(files: AppFiles, sourceRoot: string) {
    const paths = [...files.below(sourceRoot, '.ts'), ...files.below('libs', '.ts')];
    const own = paths.filter(
      (path) =>
        !TEST.test(path) &&
        path !== `${sourceRoot}/apix.module.ts` &&
        !path.startsWith(`${sourceRoot}/gen/`),
    );
    this.texts = new Map(own.map((path) => [path, withoutComments(files.text(path) ?? '')]));
  }

  get paths(): readonly string[] {
    return [...this.texts.keys()];
  }

  /** The first file that all patterns match. */
  fileWith(...patterns: readonly RegExp[]): string | undefined {
    return this.fileThat((text) => patterns.every((pattern) => pattern.test(text)));
  }

  fileThat(isIt: (text: string, path: string) => boolean): string | undefined {
    return this.paths.find((path) => isIt(this.texts.get(path)!, path));
  }
}
