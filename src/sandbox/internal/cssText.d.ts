/** A stylesheet as text, which Vite puts into the bundle. */
declare module '*.css?raw' {
  const text: string;
  export default text;
}
