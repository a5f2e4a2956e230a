import type { Component, Plugin, System } from './swagger-ui.js';

/** A document of the page. */
export interface NamedUrl {
  readonly name: string;
  readonly url: string;
}

/** Query parameter of the page's address that selects a document; Swagger UI uses the same name. */
const SHOWN = 'urls.primaryName';

/** The document that the address names, otherwise the first one. */
export function shownFirst(urls: readonly NamedUrl[]): NamedUrl | undefined {
  const wanted = new URLSearchParams(location.search).get(SHOWN);
  return urls.find(({ name }) => name === wanted) ?? urls[0];
}

/** A page without a top bar: a choice of documents, if there are several, and below it the document. */
export function layoutPlugin(urls: readonly NamedUrl[]): Plugin {
  return (system) => {
    const { React, getComponent } = system;
    const h = React.createElement;
    const DocsLayout: Component = () =>
      h(
        'div',
        null,
        urls.length > 1 && h('div', { className: 'swagger-ui' }, chooser(system, urls)),
        h(getComponent('BaseLayout', true), null),
      );
    // Keyboards cannot use a link within the button that opens an operation; the address changes anyway.
    const plain = (DeepLink: Component): Component => {
      return (props) => h(DeepLink, { ...props, enabled: false });
    };
    return { components: { DocsLayout }, wrapComponents: { DeepLink: plain } };
  };
}

function chooser({ React, specActions }: System, urls: readonly NamedUrl[]) {
  const h = React.createElement;
  const onChange = ({ target }: { readonly target: HTMLSelectElement }): void => {
    const { name, url } = urls[target.selectedIndex]!;
    const address = new URL(location.href);
    address.searchParams.set(SHOWN, name);
    address.hash = '';
    history.replaceState(null, '', address);
    specActions.updateUrl(url);
    specActions.download(url);
  };
  const options = urls.map(({ name }) => h('option', { key: name, value: name }, name));
  return h(
    'nav',
    { className: 'wrapper documents', 'aria-label': 'Documents' },
    h('label', { htmlFor: 'select' }, 'Document'),
    h('select', { id: 'select', defaultValue: shownFirst(urls)?.name, onChange }, ...options),
  );
}
