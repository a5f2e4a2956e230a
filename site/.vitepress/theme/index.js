import DefaultTheme from 'vitepress/theme-without-fonts';
import Layout from './layout.js';
import VersionMenu from './version-menu.js';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp: ({ app }) => {
    app.component('VersionMenu', VersionMenu);
  },
};
