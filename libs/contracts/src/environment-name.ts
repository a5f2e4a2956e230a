/** The variable that names the environment, also where NODE_ENV is set. */
export const ENVIRONMENT_VARIABLE = 'APP_ENVIRONMENT';

/**
 * The name of the environment that the variables give: APP_ENVIRONMENT, or else NODE_ENV with a capital letter;
 * undefined if both are unset or empty.
 */
// Why: docs/decisions/0444
export function environmentName(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const own = env[ENVIRONMENT_VARIABLE]?.trim();
  if (own) return own;
  const node = env['NODE_ENV']?.trim();
  // Written in lower case by convention.
  return node ? node.charAt(0).toUpperCase() + node.slice(1) : undefined;
}
