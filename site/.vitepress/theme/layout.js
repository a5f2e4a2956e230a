import { useData, useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineComponent, h, onMounted, watch } from 'vue';
import AboutLinks from './about-links.js';
import HeroPicture from './hero-picture.js';
import MarkdownLink from './markdown-link.js';

/** The default layout, with why and a picture on the first page, and a link to the Markdown and a main landmark on every page. */
export default defineComponent({
  setup() {
    const route = useRoute();
    const { frontmatter } = useData();
    // Pages of text have a main element inside; the first page and the missing one have none.
    const markMain = () => {
      const content = document.getElementById('VPContent');
      if (content?.querySelector('main')) content.removeAttribute('role');
      else content?.setAttribute('role', 'main');
    };
    onMounted(markMain);
    watch(() => route.path, markMain, { flush: 'post' });
    return () =>
      h(DefaultTheme.Layout, null, {
        'doc-footer-before': () => h(MarkdownLink),
        'home-hero-info-after': () => h('p', { class: 'why' }, frontmatter.value.why),
        'home-hero-actions-after': () => h(AboutLinks),
        'home-hero-image': () => h(HeroPicture),
      });
  },
});
