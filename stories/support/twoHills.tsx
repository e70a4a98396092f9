/** An inline picture for an NFT, so that the stories fetch no image. */
export const twoHills = (
  <svg viewBox="0 0 8 8" role="img" aria-label="A sun over two hills">
    <path d="M0 0h8v8H0z" fill="#f5d9b0" />
    <circle cx="5.4" cy="3" r="1.1" fill="#d9522e" />
    <path d="M0 5q2-2 4 0t4 0v3H0z" fill="#a5586b" />
    <path d="M0 6.4q2-1.4 4 0t4-.2V8H0z" fill="#33304f" />
  </svg>
);
