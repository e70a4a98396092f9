import { configure } from '@testing-library/react';

// Machines are slow at times. What is waited for comes at once otherwise.
configure({ asyncUtilTimeout: 5000 });
