// Stands in for ./server and ./sandbox in a browser bundle. It exports nothing, so a named import
// fails the build; a bare import fails when the page loads.
throw new Error(
  '@partner-ramp/react/server and /sandbox hold keys and never run in a browser. Import them in your backend only.',
);

export {};
