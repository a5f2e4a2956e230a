import type { Plugin } from './swagger-ui.js';

/** The input for each security scheme, by its name. */
type Credentials = Readonly<Record<string, { readonly value?: unknown }>>;

/** Accepts a token with or without the word `Bearer` before it, and with spaces around it. */
export const tokenPlugin: Plugin = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize: (credentials: Credentials) => unknown) => (given: Credentials) =>
          authorize(withBareTokens(given)),
      },
    },
  },
});

export function withBareTokens(given: Credentials): Credentials {
  return Object.fromEntries(
    Object.entries(given).map(([name, entered]) => {
      const { value } = entered;
      if (typeof value !== 'string') return [name, entered];
      return [name, { ...entered, value: value.trim().replace(/^bearer\s+/i, '') }];
    }),
  );
}
