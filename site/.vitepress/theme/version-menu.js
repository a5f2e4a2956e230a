import { useData, withBase } from 'vitepress';
import { defineComponent, h, onMounted, ref } from 'vue';

/**
 * Says which version the pages are of, and leads to the others. The list is read from the root of
 * the newest site, so that the sites of earlier releases know of later ones.
 */
export default defineComponent({
  setup() {
    const { theme } = useData();
    const versions = ref([]);
    const root = withBase('/').replace(/v\d+\.\d+\.\d+[^/]*\/$/, '');
    const own = withBase('/').slice(root.length);
    onMounted(async () => {
      const answer = await fetch(`${root}versions.json`);
      if (answer.ok) versions.value = await answer.json();
    });
    return () => {
      if (versions.value.length < 2) {
        return h('span', { class: 'version' }, `v${theme.value.version}`);
      }
      return h(
        'select',
        {
          class: 'version',
          'aria-label': 'Version',
          value: own,
          onChange: (event) => location.assign(root + event.target.value),
        },
        versions.value.map(({ name, path }) => h('option', { value: path }, name)),
      );
    };
  },
});
