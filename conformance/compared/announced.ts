import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Packages of Nest's that are announced; docs/guides/nest-packages.md says what is known of them. */
const ANNOUNCED = ['authorization', 'idempotency', 'locks', 'mcp', 'outbox'].map(
  (name) => `@nestjs/${name}`,
);

/**
 * Asks the registry for each of them.
 *
 * @returns how many can be installed now, so that the guide has to be tried with them.
 */
export async function announced(): Promise<number> {
  let there = 0;
  for (const name of ANNOUNCED) {
    const version = await versionOf(name);
    if (version !== undefined) there += 1;
    console.log(
      version === undefined
        ? `ok      ${name} cannot be installed yet, as docs/guides/nest-packages.md says`
        : `FAILED  ${name} ${version} can be installed: try docs/guides/nest-packages.md with it`,
    );
  }
  return there;
}

/** The newest version; undefined if the registry does not have the package. */
async function versionOf(name: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('npm', [
      'view',
      name,
      'version',
      '--loglevel=error',
    ]);
    return stdout.trim();
  } catch (error) {
    if (/E404/.test((error as { readonly stderr: string }).stderr)) return undefined;
    throw error;
  }
}
