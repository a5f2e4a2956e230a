import { createContext, Script } from 'node:vm';

interface Sandbox {
  run: () => void;
}

let sandbox: Sandbox | undefined;
let script: Script | undefined;

/**
 * Runs a function that must not throw, and interrupts it after a time, also inside of a loop without end.
 *
 * @returns whether it has run to its end.
 */
export function runWithin(ms: number, run: () => void): boolean {
  sandbox ??= createContext(Object.assign(Object.create(null) as object, { run })) as Sandbox;
  script ??= new Script('run()', { filename: 'logx-format' });
  sandbox.run = run;
  try {
    script.runInContext(sandbox, { timeout: ms });
    return true;
  } catch (error) {
    // The error is one of the context, so it is not an instance of Error here.
    if ((error as { readonly code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return false;
    throw error;
  }
}
