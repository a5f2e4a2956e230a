import { ENVIRONMENT_VARIABLE, environmentName } from '@apix/contracts/internal';

/** The variable that {@link environmentFromEnv} reads by default. */
export const DEFAULT_ENVIRONMENT_VAR = ENVIRONMENT_VARIABLE;

/** Where the process runs. Names are free; they compare without regard to case. */
export class Environment {
  static readonly development = new Environment('Development');
  static readonly staging = new Environment('Staging');
  static readonly production = new Environment('Production');

  constructor(readonly name: string) {}

  is(name: string): boolean {
    return this.name.toLowerCase() === name.toLowerCase();
  }

  isDevelopment(): boolean {
    return this.is('development');
  }

  isProduction(): boolean {
    return this.is('production');
  }

  /** Development or Test: a machine of developers, where nobody else is served and nothing is balanced. */
  isLocal(): boolean {
    return this.isDevelopment() || this.is('test');
  }

  toString(): string {
    return this.name;
  }
}

/**
 * The environment that a variable names; Production where it is unset or empty.
 *
 * @param variable Default, also for '': {@link DEFAULT_ENVIRONMENT_VAR}.
 */
export function environmentFromEnv(
  variable = '',
  env: Readonly<Record<string, string | undefined>> = process.env,
): Environment {
  const name = env[variable === '' ? DEFAULT_ENVIRONMENT_VAR : variable]?.trim();
  return name === undefined || name === '' ? Environment.production : new Environment(name);
}

/** The environment that the variables name: APP_ENVIRONMENT, or else NODE_ENV; null if both are unset or empty. */
export function namedEnvironment(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Environment | null {
  const name = environmentName(env);
  return name === undefined ? null : new Environment(name);
}

/** The environment where no option names one: {@link namedEnvironment}, or else Production. */
export function defaultEnvironment(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Environment {
  return namedEnvironment(env) ?? Environment.production;
}
