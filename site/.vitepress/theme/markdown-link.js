import { useData, withBase } from 'vitepress';
import { defineComponent, h } from 'vue';

/** Leads to the page as Markdown. */
export default defineComponent({
  setup() {
    const { page } = useData();
    // With a target the router leaves the link to the browser.
    return () =>
      h('p', { class: 'as-markdown' }, [
        h(
          'a',
          { href: withBase(`/${page.value.relativePath}`), target: '_self' },
          'This page as Markdown',
        ),
      ]);
  },
});
