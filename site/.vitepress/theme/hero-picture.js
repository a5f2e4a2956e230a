import { withBase } from 'vitepress';
import { defineComponent, h } from 'vue';

const ALT = 'The page of a running host: its services, health checks and slowest requests';

/** What an app looks like while it runs, in the colours of the reader, and leads to what shows it. */
export default defineComponent({
  setup() {
    const image = (width, colors) => withBase(`/images/host-page-${width}-${colors}.png`);
    const picture = (colors) =>
      h('picture', { class: colors }, [
        h('source', { media: '(max-width: 640px)', srcset: image(390, colors) }),
        h('img', { src: image(1440, colors), alt: ALT, loading: 'lazy' }),
      ]);
    return () =>
      h('a', { class: 'hero-picture', href: withBase('/packages/host-page.html') }, [
        picture('light'),
        picture('dark'),
      ]);
  },
});
