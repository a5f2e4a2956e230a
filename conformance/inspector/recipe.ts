import { readFileSync } from 'node:fs';

/** What the recipe has clients connect to, and with which token. */
export interface Connection {
  readonly url: string;
  readonly token: string;
}

/** The configuration files of `docs/recipes/desktop-client.md`, with the URL and the token of a shop that runs. */
export interface RecipeFiles {
  readonly vsCode: {
    readonly servers: {
      readonly shop: {
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
      };
    };
  };
  /** As text. */
  readonly claudeDesktop: string;
}

/** @throws Error if the page does not have two files with what is to be replaced. */
export function recipeFiles({ url, token }: Connection): RecipeFiles {
  const page = readFileSync('docs/recipes/desktop-client.md', 'utf8');
  const [vsCode = '', claudeDesktop = ''] = [...page.matchAll(/```json\n(.*?)```/gs)].map(
    ([, text]) => text,
  );
  const filled = [vsCode.replace('${input:shop-token}', token), claudeDesktop].map((text) =>
    text.replace('http://localhost:3000/mcp', url).replace('<token>', token),
  );
  if (!filled.every((text) => text.includes(url) && text.includes(token))) {
    throw new Error('docs/recipes/desktop-client.md: a file has no URL or no token to replace');
  }
  return {
    vsCode: JSON.parse(filled[0]!) as RecipeFiles['vsCode'],
    claudeDesktop: filled[1]!,
  };
}
