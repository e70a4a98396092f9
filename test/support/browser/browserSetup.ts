import { configure } from '@testing-library/react';

// Longer than the default of one second, because CI machines can be slow.
configure({ asyncUtilTimeout: 5000 });
