import { makeAccessible } from './accessible.js';
import { type NamedUrl, layoutPlugin, shownFirst } from './layout-plugin.js';
import { OpenCalls } from './open-calls.js';
import { streamsPlugin } from './streams-plugin.js';
import { tokenPlugin } from './token-plugin.js';

/** What the options of the docs say; the server writes it before this script. */
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
  makeAccessible(document.querySelector<HTMLElement>('#swagger-ui')!);
  SwaggerUIBundle({
    url: shownFirst(urls)?.url,
    dom_id: '#swagger-ui',
    layout: 'DocsLayout',
    deepLinking: true,
    // The operations are what people come for; their schemas are one click away.
    defaultModelsExpandDepth: 0,
    persistAuthorization: DOCS.persistAuthorization,
    // Else it asks validator.swagger.io about the document.
    validatorUrl: null,
    oauth2RedirectUrl: at('./oauth2-redirect.html'),
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [
      SwaggerUIBundle.plugins.DownloadUrl,
      layoutPlugin(urls),
      streamsPlugin(new OpenCalls()),
      tokenPlugin,
    ],
  });
});
