import { thrownText } from '@apix/contracts';
import { GatewayServerError } from './errors.js';

/** Setting names of package options whose setting is not the option name in kebab case. */
const SETTING_NAMES: Readonly<Record<string, string>> = {
  forwardHeaders: 'forward-header',
  path: 'mcp',
  allowedOrigins: 'mcp-origin',
  allowedHosts: 'mcp-host',
  maxResultBytes: 'mcp-max-result-bytes',
  'authorization.resource': 'mcp-resource',
  'authorization.authorizationServers': 'mcp-authorization-server',
  'authorization.scopes': 'mcp-scope',
  'sessions.max': 'mcp-sessions',
  'sessions.maxPerCaller': 'mcp-sessions-per-caller',
  'sessions.timeout': 'mcp-session-timeout',
};

/** Collects the mistakes of several parts, so that they are reported together. */
export class FoundMistakes {
  readonly #found: string[] = [];

  /** Returns what `make` returns; if it throws, notes the mistakes and returns undefined. */
  part<T>(make: () => T): T | undefined {
    try {
      return make();
    } catch (error) {
      this.#found.push(...mistakesOf(error));
      return undefined;
    }
  }

  /** @throws GatewayServerError that lists all mistakes. */
  throwIfAny(): void {
    if (this.#found.length > 0) throw new GatewayServerError(this.#found);
  }
}

/** The option that a mistake is about; its index in a list stays. */
const OPTION = /^[a-z]\w*(?:\.\w+)?(?=(?:\[\d+\])?:)/i;

function mistakesOf(error: unknown): readonly string[] {
  if (error instanceof GatewayServerError) return error.mistakes;
  const { mistakes } = (error ?? {}) as { readonly mistakes?: unknown };
  if (!Array.isArray(mistakes)) return [thrownText(error)];
  return mistakes.map((mistake) => String(mistake).replace(OPTION, settingName));
}

function settingName(option: string): string {
  const kebab = option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  // Names of files have a dot too.
  return SETTING_NAMES[option] ?? (option.includes('.') ? option : kebab);
}
