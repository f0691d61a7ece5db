// The memory of one name.
#pragma once

// Frees all memory that was allocated since the module was initialized.
void reset_arena();
