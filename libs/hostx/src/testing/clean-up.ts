type Hook = (fn: () => Promise<void>) => void;

/** The functions that Jest and Vitest may define globally. */
interface TestGlobals {
  readonly afterEach?: Hook;
  readonly afterAll?: Hook;
  readonly expect?: { getState?(): { readonly currentTestName?: string | undefined } };
}

const globals = globalThis as TestGlobals;
const afterThisTest: (() => Promise<void>)[] = [];
const afterThisFile: (() => Promise<void>)[] = [];

async function runAll(list: (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const cleanUp of list.splice(0).toReversed()) await cleanUp().catch((e) => errors.push(e));
  if (errors.length > 0) throw errors[0];
}

// A hook cannot be defined inside a test, so this one is there before the first.
globals.afterEach?.(() => runAll(afterThisTest));
globals.afterAll?.(() => runAll(afterThisFile));

/** Runs `fn` after the current test, or after the file when no test is running. */
export function cleanUpLater(fn: () => Promise<void>): void {
  const inTest = globals.expect?.getState?.().currentTestName !== undefined;
  (inTest ? afterThisTest : afterThisFile).push(fn);
}
