import { useData, withBase } from 'vitepress';
import { defineComponent, h } from 'vue';

/** The licence and, where it is known, the repository. */
export default defineComponent({
  setup() {
    const { theme } = useData();
    const link = (href, text) => h('a', { href }, text);
    return () =>
      h('p', { class: 'about' }, [
        link(withBase('/licence.html'), 'Apache License 2.0'),
        theme.value.repository && link(theme.value.repository, 'Repository'),
      ]);
  },
});
