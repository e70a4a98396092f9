export function ShopFooter() {
  return (
    <footer className="footer page">
      <p>
        Fieldnote Prints is the example shop of the partner-ramp components for React. Its prints
        are drawn in your browser, each from its own number.
      </p>
    </footer>
  );
}
