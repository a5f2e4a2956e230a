import { PAGE_JS } from './gen/assets.js';
import { type SwaggerUiOptions, isEmbedded, specName } from './options.js';

/**
 * The page. Everything that it loads is a file in one folder, so that any prefix and any proxy works.
 *
 * @param folder the folder of the files relative to the page: `./`, or `./docs/` if the page was
 * requested as `/docs`.
 */
export function pageHtml(title: string, folder: string): string {
  const file = (name: string): string => escapeHtml(folder + name);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escapeHtml(title)}</title>
    <link rel="stylesheet" href="${file('swagger-ui.css')}" />
    <link rel="stylesheet" href="${file('page.css')}" />
    <link rel="icon" type="image/png" href="${file('favicon-32x32.png')}" sizes="32x32" />
    <link rel="icon" type="image/png" href="${file('favicon-16x16.png')}" sizes="16x16" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${file('swagger-ui-bundle.js')}"></script>
    <script src="${file('initializer.js')}"></script>
  </body>
</html>
`;
}

/**
 * The script that starts the UI. It is a separate file, because a Content-Security-Policy without `unsafe-inline`
 * allows no inline script.
 */
export function initializerJs({ specs, persistAuthorization = false }: SwaggerUiOptions): string {
  const urls = specs.map((spec) => ({
    name: specName(spec),
    url: isEmbedded(spec) ? `./${spec.name}` : spec.url,
  }));
  return `const DOCS = ${JSON.stringify({ urls, persistAuthorization })};\n${PAGE_JS}`;
}

/** Allows only scripts and styles from the page's files, and requests to this host and the origins in the options. */
export function contentSecurityPolicy({ specs, connect = [] }: SwaggerUiOptions): string {
  const linked = specs.flatMap((spec) =>
    !isEmbedded(spec) && URL.canParse(spec.url) ? [new URL(spec.url).origin] : [],
  );
  const origins = [...new Set(["'self'", ...connect, ...linked])].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src ${origins}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
