/** Replaces the files of the built widget page, so that these tests need no build. */
export const readWidgetFiles = () => ({
  html: '<html><body><div id="root"></div></body></html>',
  assets: new Map([
    ['page.js', { body: new TextEncoder().encode('void 0'), type: 'text/javascript' }],
  ]),
});
