/** The text of a script, which Vite includes in the bundle. */
declare module '*.js?raw' {
  const text: string;
  export default text;
}
