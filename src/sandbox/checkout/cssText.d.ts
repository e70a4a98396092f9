/** The text of a stylesheet, which Vite includes in the bundle. */
declare module '*.css?raw' {
  const text: string;
  export default text;
}
