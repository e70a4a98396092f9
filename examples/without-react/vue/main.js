import '@partner-ramp/react/element';
import '@partner-ramp/react/styles.css';
import { createApp } from 'vue';
import App from './App.vue';

createApp(App).mount('#app');
