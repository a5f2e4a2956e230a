const LINKS = [
  ['shop', 'The shop in your browser, over Connect or gRPC-Web'],
  ['docs', 'The API, to be read and tried'],
  ['docs/shop.json', 'The same as OpenAPI 3.1'],
  ['v1/products', 'The products, which anybody may see'],
  [
    'host',
    'The page of the host: services, health, jobs and events; asks for the password of the office',
  ],
  ['healthz', 'Liveness'],
  ['readyz', 'Readiness'],
  ['metrics', 'Metrics for Prometheus'],
] as const;

/** The page at the root of the shop. */
export const HOME_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Shop</title>
<h1>The shop, the demo of apix</h1>
<ul>
${LINKS.map(([path, text]) => `<li><a href="/${path}">/${path}</a>: ${text}`).join('\n')}
</ul>
</html>
`;
