import { makeAccessible } from './accessible.js';
import { type NamedUrl, layoutPlugin, shownFirst } from './layout-plugin.js';
import { OpenCalls } from './open-calls.js';
import { searchPlugin } from './search-plugin.js';
import { SegmentPaths } from './segments-plugin.js';
import { snippetsPlugin } from './snippets-plugin.js';
import { streamsPlugin } from './streams-plugin.js';
import { tokenPlugin } from './token-plugin.js';
import { whoPlugin } from './who-plugin.js';

/** The options of the docs; the server writes them before this script. */
declare const DOCS: { readonly urls: readonly NamedUrl[]; readonly persistAuthorization: boolean };

const folder = (document.currentScript as HTMLScriptElement).src;
const at = (url: string): string => new URL(url, folder).href;
const urls = DOCS.urls.map(({ name, url }) => ({ name, url: at(url) }));

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = (): void => {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
};
follow();
dark.addEventListener('change', follow);

addEventListener('load', () => {
  const paths = new SegmentPaths();
  makeAccessible(document.querySelector<HTMLElement>('#swagger-ui')!);
  SwaggerUIBundle({
    url: shownFirst(urls)?.url,
    dom_id: '#swagger-ui',
    layout: 'DocsLayout',
    deepLinking: true,
    filter: true,
    // Users come for the operations; the schemas are one click away.
    defaultModelsExpandDepth: 0,
    persistAuthorization: DOCS.persistAuthorization,
    // Otherwise it sends the address of the document to validator.swagger.io.
    validatorUrl: null,
    oauth2RedirectUrl: at('./oauth2-redirect.html'),
    requestInterceptor: paths.intercept,
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [
      SwaggerUIBundle.plugins.DownloadUrl,
      layoutPlugin(urls),
      streamsPlugin(new OpenCalls()),
      tokenPlugin,
      searchPlugin,
      paths.plugin,
      snippetsPlugin(paths),
      whoPlugin,
    ],
  });
});
